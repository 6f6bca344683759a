/**
 * The functions that write a commit, over packets of a type: `json` is a text that is read anew for each part of it, `jsonb` is read once.
 * What has been published of a number never changes.
 */
export const appendFunctions = (json: 'json' | 'jsonb', number: number): string => `
create function $schema.append_${number}(p ${json}, out status text, out waiting boolean) language plpgsql as $function$
declare
  k bigint;
  held record;
begin
  waiting := false;
  status := 'not_found';
  select t.key into k from $schema.threads t where t.id = p->>'thread';
  if k is null then return; end if;
  select l.fence, l.version, l.last_seq, l.last_commit, l.last_posts into held
    from $schema.leases l where l.thread = k for no key update;
  if not found then return; end if;
  if p->>'commit' = held.last_commit or p->>'commit' = any(held.last_posts) then
    status := 'ok';
    waiting := exists (select from $schema.queue q where q.thread = k);
    return;
  end if;
  if (p->>'fence')::bigint < held.fence then status := 'busy'; return; end if;
  if p->>'version' is not null then
    if (p->>'version')::bigint <> held.version then status := 'changed'; return; end if;
  elsif $schema.is_unusual_${number}(k, p) then
    status := 'look';
    return;
  end if;
  perform set_config('synchronous_commit', p->>'sync', true);
  perform $schema.write_${number}(k, held.last_seq, p);
  update $schema.leases l set
    version = l.version + 1,
    last_seq = l.last_seq + coalesce(${json}_array_length(p->'messages'), 0),
    last_commit = case when p->>'fence' is null then l.last_commit else p->>'commit' end,
    last_posts = case when p->>'fence' is null then (array_prepend(p->>'commit', l.last_posts))[1:8] else l.last_posts end
    where l.thread = k;
  status := 'ok';
  waiting := exists (select from $schema.queue q where q.thread = k);
end
$function$;

create function $schema.is_unusual_${number}(k bigint, p ${json}) returns boolean language plpgsql as $function$
declare
  ids text[];
begin
  if p->'fresh' is not null then
    ids := array(select ${json}_array_elements_text(p->'fresh'));
    if exists (select from $schema.messages m where m.thread = k and m.id = any(ids)) then return true; end if;
  end if;
  if p->'absent' is not null then
    ids := array(select ${json}_array_elements_text(p->'absent'));
    if exists (select from $schema.queue q where q.thread = k and q.id = any(ids)) then return true; end if;
  end if;
  if p->'stored' is not null then
    ids := array(select ${json}_array_elements_text(p->'stored'));
    if (select count(*) from $schema.messages m where m.thread = k and m.id = any(ids)) < cardinality(ids) then
      return true;
    end if;
  end if;
  return false;
end
$function$;

create function $schema.write_${number}(k bigint, last bigint, p ${json}) returns void language plpgsql as $function$
begin
  if p->'remove' is not null then
    delete from $schema.messages m
      where m.thread = k and m.id = any(array(select ${json}_array_elements_text(p->'remove')));
  end if;
  if p->'messages' is not null then
    insert into $schema.messages (thread, seq, id, role, flags, created_at, depth, parent_id, name, tool_call_id,
        content, tool_calls, metadata, extra)
      select k, last + r.number, r.id, r.role, r.flags, r.at, r.depth, r.parent, r.name, r.call, r.content, r.calls,
        r.metadata, r.extra
      from rows from (${json}_to_recordset(p->'messages') as (id text, role text, flags integer, at float8, depth float8,
        parent text, name text, call text, content text, calls text, metadata text, extra text))
        with ordinality as r (id, role, flags, at, depth, parent, name, call, content, calls, metadata, extra, number);
  end if;
  if p->'replace' is not null then
    update $schema.messages m set role = r.role, flags = r.flags, created_at = r.at, depth = r.depth,
        parent_id = r.parent, name = r.name, tool_call_id = r.call, content = r.content, tool_calls = r.calls,
        metadata = r.metadata, extra = r.extra
      from ${json}_to_recordset(p->'replace') as r (id text, role text, flags integer, at float8, depth float8,
        parent text, name text, call text, content text, calls text, metadata text, extra text)
      where m.thread = k and m.id = r.id;
  end if;
  if p->'calls' is not null then
    insert into $schema.tool_calls as c (thread, seq, position, id, name, status)
      select k, m.seq, r.position, r.id, r.name, r.status
      from ${json}_to_recordset(p->'calls') as r (message text, position float8, id text, name text, status text)
      join $schema.messages m on m.thread = k and m.id = r.message
      on conflict (thread, seq, position) do update set id = excluded.id, name = excluded.name, status = excluded.status;
  end if;
  if p->'dequeue' is not null then
    delete from $schema.queue q
      where q.thread = k and q.id = any(array(select ${json}_array_elements_text(p->'dequeue')));
  end if;
  if p->'enqueue' is not null then
    insert into $schema.queue (thread, id, kind, payload)
      select k, r.id, r.kind, r.payload
      from rows from (${json}_to_recordset(p->'enqueue') as (id text, kind text, payload text))
        with ordinality as r (id, kind, payload, number)
      order by r.number;
  end if;
  if p->'runs' is not null then
    insert into $schema.hook_runs (thread, turn_id, step, oldest, youngest, runs)
      select k, r.turn, r.step, coalesce(r.oldest, 0), coalesce(r.youngest, 0), r.runs
      from rows from (${json}_to_recordset(p->'runs') as (turn text, step float8, oldest float8, youngest float8, runs text))
        with ordinality as r (turn, step, oldest, youngest, runs, number)
      order by r.number;
  end if;
  if p->'values' is not null or p->'unset' is not null or p->'files' is not null or p->'removeFiles' is not null then
    perform $schema.keep_${number}(k, p);
  end if;
  if p->'changes' is not null then perform $schema.change_${number}(k, p->'changes'); end if;
end
$function$;

create function $schema.keep_${number}(k bigint, p ${json}) returns void language plpgsql as $function$
begin
  if p->'unset' is not null then
    delete from $schema.kept_values v
      where v.thread = k and v.key = any(array(select ${json}_array_elements_text(p->'unset')));
  end if;
  if p->'values' is not null then
    insert into $schema.kept_values as v (thread, key, value)
      select k, r.key, r.value from ${json}_to_recordset(p->'values') as r (key text, value text)
      on conflict (thread, key) do update set value = excluded.value;
  end if;
  if p->'removeFiles' is not null then
    delete from $schema.files f
      where f.thread = k and f.path = any(array(select ${json}_array_elements_text(p->'removeFiles')));
  end if;
  if p->'files' is not null then
    insert into $schema.files as f (thread, path, name, mime_type, size, data)
      select k, r.path, r.name, r.mime, r.size, decode(r.data, 'base64')
      from ${json}_to_recordset(p->'files') as r (path text, name text, mime text, size float8, data text)
      on conflict (thread, path) do update
        set name = excluded.name, mime_type = excluded.mime_type, size = excluded.size, data = excluded.data;
  end if;
end
$function$;

create function $schema.change_${number}(k bigint, c ${json}) returns void language plpgsql as $function$
begin
  if ${json}_typeof(c->'turn') = 'null' then
    delete from $schema.open_turns o where o.thread = k;
  elsif c->'turn' is not null then
    insert into $schema.open_turns as o (thread, turn_id, form)
      values (k, c->'turn'->>'id', (c->'turn'->>'form')::float8)
      on conflict (thread) do update set turn_id = excluded.turn_id, form = excluded.form;
  end if;
  if c->'side' is not null or c->'terminated' is not null or c->'compaction' is not null or c->'metadata' is not null then
    update $schema.threads t set
      current_side = coalesce(c->>'side', t.current_side),
      terminated = case when c->'terminated' is null then t.terminated else c->>'terminated' end,
      compaction = case when c->'compaction' is null then t.compaction else c->>'compaction' end,
      metadata = coalesce(c->>'metadata', t.metadata)
      where t.key = k;
  end if;
end
$function$;
`;

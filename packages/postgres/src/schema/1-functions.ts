/**
 * The functions of the first version. Their names end with a number: if a release needs another form, it adds a function and keeps the
 * old one for processes that still run.
 *
 * F1 A function holds no rule. `append_1` writes plain commits at once: new messages, new items, calls of stored messages. For any other
 *    it answers \`look\`; the process then reads, decides, and sends the commit again for the version that it saw.
 * F2 The lease's row is locked before anything is read. In a volatile function each statement sees all earlier commits, so a statement after
 *    the lock sees every commit before this one.
 * F3 A commit that was sent again because its answer was lost is known by its id and changes nothing.
 */
export const functions = `
create function $schema.append_1(p json, out status text, out waiting boolean) language plpgsql as $function$
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
  elsif $schema.is_unusual_1(k, p) then
    status := 'look';
    return;
  end if;
  perform set_config('synchronous_commit', p->>'sync', true);
  perform $schema.write_1(k, held.last_seq, p);
  update $schema.leases l set
    version = l.version + 1,
    last_seq = l.last_seq + coalesce(json_array_length(p->'messages'), 0),
    last_commit = case when p->>'fence' is null then l.last_commit else p->>'commit' end,
    last_posts = case when p->>'fence' is null then (array_prepend(p->>'commit', l.last_posts))[1:8] else l.last_posts end
    where l.thread = k;
  status := 'ok';
  waiting := exists (select from $schema.queue q where q.thread = k);
end
$function$;

create function $schema.is_unusual_1(k bigint, p json) returns boolean language plpgsql as $function$
declare
  ids text[];
begin
  if p->'fresh' is not null then
    ids := array(select json_array_elements_text(p->'fresh'));
    if exists (select from $schema.messages m where m.thread = k and m.id = any(ids)) then return true; end if;
  end if;
  if p->'absent' is not null then
    ids := array(select json_array_elements_text(p->'absent'));
    if exists (select from $schema.queue q where q.thread = k and q.id = any(ids)) then return true; end if;
  end if;
  if p->'stored' is not null then
    ids := array(select json_array_elements_text(p->'stored'));
    if (select count(*) from $schema.messages m where m.thread = k and m.id = any(ids)) < cardinality(ids) then
      return true;
    end if;
  end if;
  return false;
end
$function$;

create function $schema.write_1(k bigint, last bigint, p json) returns void language plpgsql as $function$
begin
  if p->'remove' is not null then
    delete from $schema.messages m
      where m.thread = k and m.id = any(array(select json_array_elements_text(p->'remove')));
  end if;
  if p->'messages' is not null then
    insert into $schema.messages (thread, seq, id, role, flags, created_at, depth, parent_id, name, tool_call_id,
        content, tool_calls, metadata, extra)
      select k, last + r.number, r.id, r.role, r.flags, r.at, r.depth, r.parent, r.name, r.call, r.content, r.calls,
        r.metadata, r.extra
      from rows from (json_to_recordset(p->'messages') as (id text, role text, flags integer, at float8, depth float8,
        parent text, name text, call text, content text, calls text, metadata text, extra text))
        with ordinality as r (id, role, flags, at, depth, parent, name, call, content, calls, metadata, extra, number);
  end if;
  if p->'replace' is not null then
    update $schema.messages m set role = r.role, flags = r.flags, created_at = r.at, depth = r.depth,
        parent_id = r.parent, name = r.name, tool_call_id = r.call, content = r.content, tool_calls = r.calls,
        metadata = r.metadata, extra = r.extra
      from json_to_recordset(p->'replace') as r (id text, role text, flags integer, at float8, depth float8,
        parent text, name text, call text, content text, calls text, metadata text, extra text)
      where m.thread = k and m.id = r.id;
  end if;
  if p->'calls' is not null then
    insert into $schema.tool_calls as c (thread, seq, position, id, name, status)
      select k, m.seq, r.position, r.id, r.name, r.status
      from json_to_recordset(p->'calls') as r (message text, position float8, id text, name text, status text)
      join $schema.messages m on m.thread = k and m.id = r.message
      on conflict (thread, seq, position) do update set id = excluded.id, name = excluded.name, status = excluded.status;
  end if;
  if p->'dequeue' is not null then
    delete from $schema.queue q
      where q.thread = k and q.id = any(array(select json_array_elements_text(p->'dequeue')));
  end if;
  if p->'enqueue' is not null then
    insert into $schema.queue (thread, id, kind, payload)
      select k, r.id, r.kind, r.payload
      from rows from (json_to_recordset(p->'enqueue') as (id text, kind text, payload text))
        with ordinality as r (id, kind, payload, number)
      order by r.number;
  end if;
  if p->'runs' is not null then
    insert into $schema.hook_runs (thread, turn_id, step, oldest, youngest, runs)
      select k, r.turn, r.step, coalesce(r.oldest, 0), coalesce(r.youngest, 0), r.runs
      from rows from (json_to_recordset(p->'runs') as (turn text, step float8, oldest float8, youngest float8, runs text))
        with ordinality as r (turn, step, oldest, youngest, runs, number)
      order by r.number;
  end if;
  if p->'values' is not null or p->'unset' is not null or p->'files' is not null or p->'removeFiles' is not null then
    perform $schema.keep_1(k, p);
  end if;
  if p->'changes' is not null then perform $schema.change_1(k, p->'changes'); end if;
end
$function$;

create function $schema.keep_1(k bigint, p json) returns void language plpgsql as $function$
begin
  if p->'unset' is not null then
    delete from $schema.kept_values v
      where v.thread = k and v.key = any(array(select json_array_elements_text(p->'unset')));
  end if;
  if p->'values' is not null then
    insert into $schema.kept_values as v (thread, key, value)
      select k, r.key, r.value from json_to_recordset(p->'values') as r (key text, value text)
      on conflict (thread, key) do update set value = excluded.value;
  end if;
  if p->'removeFiles' is not null then
    delete from $schema.files f
      where f.thread = k and f.path = any(array(select json_array_elements_text(p->'removeFiles')));
  end if;
  if p->'files' is not null then
    insert into $schema.files as f (thread, path, name, mime_type, size, data)
      select k, r.path, r.name, r.mime, r.size, decode(r.data, 'base64')
      from json_to_recordset(p->'files') as r (path text, name text, mime text, size float8, data text)
      on conflict (thread, path) do update
        set name = excluded.name, mime_type = excluded.mime_type, size = excluded.size, data = excluded.data;
  end if;
end
$function$;

create function $schema.change_1(k bigint, c json) returns void language plpgsql as $function$
begin
  if json_typeof(c->'turn') = 'null' then
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

create function $schema.append_all_1(all_of json[]) returns table (status text, waiting boolean) language plpgsql as $function$
declare
  p json;
begin
  foreach p in array all_of loop
    return query select a.status, a.waiting from $schema.append_1(p) a;
  end loop;
end
$function$;

create function $schema.acquire_1(p_thread text, p_seen json, p_next json) returns float8 language plpgsql as $function$
declare
  k bigint;
  held record;
  given bigint;
begin
  select t.key into k from $schema.threads t where t.id = p_thread;
  if k is null then return null; end if;
  select l.fence, l.owner, l.expires_at into held from $schema.leases l where l.thread = k for no key update;
  if not found then return null; end if;
  if held.fence <> (p_seen->>'fence')::bigint or held.owner is distinct from p_seen->>'owner'
    or held.expires_at <> (p_seen->>'expiresAt')::float8 then
    if held.owner is not distinct from p_next->>'owner' and held.expires_at = (p_next->>'expiresAt')::float8
      and held.fence >= coalesce((p_next->>'fence')::bigint, (p_seen->>'fence')::bigint + 1) then
      return held.fence;
    end if;
    return null;
  end if;
  perform set_config('synchronous_commit', 'on', true);
  given := coalesce((p_next->>'fence')::bigint, nextval('$schema.fences'));
  update $schema.leases l set fence = given, owner = p_next->>'owner', expires_at = (p_next->>'expiresAt')::float8,
    ttl_ms = (p_next->>'ttlMs')::float8, turn_id = p_next->>'turnId' where l.thread = k;
  return given;
end
$function$;

create function $schema.delete_1(p_thread text, p_seen text) returns boolean language plpgsql as $function$
declare
  keys bigint[];
begin
  keys := array(select f.key from $schema.family_1(p_thread) f);
  perform from $schema.leases l where l.thread = any(keys) order by l.thread for update;
  if p_seen is distinct from (select string_agg(f.state, ',' order by f.key) from $schema.family_1(p_thread) f) then
    return false;
  end if;
  perform set_config('synchronous_commit', 'on', true);
  delete from $schema.threads t where t.key = any(keys);
  return true;
end
$function$;

create function $schema.family_1(p_thread text) returns table (key bigint, id text, state text) language sql volatile as $function$
  with recursive family as (
    select t.key, t.id from $schema.threads t where t.id = p_thread
    union
    select t.key, t.id from $schema.threads t join family f on t.parent_id = f.id
  )
  select f.key, f.id, concat_ws(' ', l.thread, l.fence, l.expires_at, l.owner)
  from family f join $schema.leases l on l.thread = f.key
$function$;
`;

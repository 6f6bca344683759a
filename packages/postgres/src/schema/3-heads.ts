/**
 * The functions of the third version: what a process reads of a thread before it works on it, in one statement, also together with the lease.
 *
 * H1 Like a commit, `take_over_1` locks the lease's row first and reads all else after it. It needs no look before it: whoever has the lease loses it.
 * H2 Asked again because its answer was lost, it finds the lease with the same owner, and gives the same fence.
 * H3 A new fence is on the disk before anybody writes with it. That an owner's own lease lasts longer may be lost: it ends earlier then.
 */
export const heads = `
create function $schema.message_row_1(m $schema.messages) returns json language sql as $function$
  select json_build_array(m.id, m.role, m.flags, m.created_at, m.depth, m.parent_id, m.name, m.tool_call_id, m.content, m.tool_calls,
    m.metadata, m.extra)
$function$;

create function $schema.read_head_1(p json) returns json language sql as $function$
  select json_build_object(
    'record', json_build_array(t.id, t.agent_id, t.user_id, t.parent_id, t.depth, t.created_at, t.current_side, t.terminated,
      t.compaction, t.metadata, o.turn_id, o.form),
    'children', (select json_agg(c.id order by c.key) from $schema.threads c where c.parent_id = t.id),
    'values', (select json_agg(json_build_array(v.key, v.value)) from $schema.kept_values v
      where v.thread = t.key and v.key = any(array(select json_array_elements_text(p->'keys')))),
    'messages', case when json_array_length(p->'messages') > 0 then (select json_agg($schema.message_row_1(m)) from $schema.messages m
      where m.thread = t.key and m.id = any(array(select json_array_elements_text(p->'messages')))) end)
  from $schema.threads t left join $schema.open_turns o on o.thread = t.key where t.id = p->>'thread'
$function$;

create function $schema.take_over_1(p json, out fence float8, out expires float8, out head json, out ends json)
language plpgsql as $function$
declare
  k bigint;
  held record;
begin
  select t.key into k from $schema.threads t where t.id = p->>'thread';
  if k is null then return; end if;
  select l.fence, l.owner into held from $schema.leases l where l.thread = k for no key update;
  if not found then return; end if;
  fence := case when held.owner = p->>'owner' then held.fence else nextval('$schema.fences') end;
  perform set_config('synchronous_commit', case when fence = held.fence then 'off' else 'on' end, true);
  expires := floor(extract(epoch from clock_timestamp()) * 1000) + (p->>'ttlMs')::float8;
  update $schema.leases l set fence = take_over_1.fence, owner = p->>'owner', expires_at = expires,
    ttl_ms = (p->>'ttlMs')::float8, turn_id = p->>'turnId' where l.thread = k;
  head := $schema.read_head_1(p);
  if fence <> held.fence and p->'ends' is not null then
    ends := json_build_object(
      'oldest', (select json_agg($schema.message_row_1(m) order by m.seq) from (
        select * from $schema.messages n where n.thread = k order by n.seq limit (p->'ends'->>'oldest')::bigint) m),
      'newest', (select json_agg($schema.message_row_1(m) order by m.seq) from (
        select * from $schema.messages n where n.thread = k order by n.seq desc limit (p->'ends'->>'newest')::bigint) m));
  end if;
end
$function$;
`;

import { appendFunctions } from './append-functions.ts';

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
export const functions: string = `${appendFunctions('json', 1)}
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

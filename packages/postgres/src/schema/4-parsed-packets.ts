import { appendFunctions } from './append-functions.ts';

/**
 * The commits of the fourth version, whose packets are read once.
 *
 * J1 A `jsonb` holds no text of more than 256 MB, and no list of such: packets with large files are written as before.
 */
export const parsedPackets: string = `${appendFunctions('jsonb', 2)}
create function $schema.append_all_2(p text) returns table (status text, waiting boolean) language plpgsql as $function$
declare
  one jsonb;
begin
  if octet_length(p) > 200000000 then
    return query select a.status, a.waiting from $schema.append_all_1(array(select json_array_elements(p::json))) a;
    return;
  end if;
  foreach one in array array(select jsonb_array_elements(p::jsonb)) loop
    return query select a.status, a.waiting from $schema.append_2(one) a;
  end loop;
end
$function$;
`;

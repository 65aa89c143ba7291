/**
 * SQL of the id that an imported record gets: the one that it had ($n, or null), if that is free, otherwise the next one.
 */
export const idOrNext = (table: string, wanted: string): string =>
  `case when ${wanted}::int is not null and not exists (select from ${table} t where t.id = ${wanted}::int)
        then ${wanted}::int else nextval(pg_get_serial_sequence('${table}', 'id'))::int end`;

import pg from 'pg'

const { INT8, DATE } = pg.types.builtins

/** How values arrive: a date as `YYYY-MM-DD`, a bigint as number; the others as `pg` has them. */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser(id, format) {
    if (id === DATE) return (value: string) => value
    if (id === INT8) return Number
    return pg.types.getTypeParser(id, format)
  },
}

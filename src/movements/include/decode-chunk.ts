/*
 * How a chunk is read that `batch-text.ts` wrote: columns of JSON in UTF-8, of which one without any value is left out. The series counts
 * the rows, for the planner too: it would take every chunk for ten rows and join all with all.
 */

/** The people of a chunk, as an item of FROM: n (the place in the batch), tax-id, member-id, data (profile, and documents if any). */
export function membersOf(chunk: string, alias: string): string {
  const all = `${alias}_columns`
  return `json_to_record(convert_from(${chunk}.members, 'UTF8')::json) as ${all}(n integer[], "tax-id" bpchar[], "member-id" uuid[], data jsonb[])
    cross join lateral rows from (unnest(${all}.n), unnest(${all}."tax-id"), unnest(${all}."member-id"), unnest(${all}.data),
      generate_series(1, cardinality(${all}.n))) as ${alias}(n, "tax-id", "member-id", data, place)`
}

/**
 * The products that the people of a chunk enter, as an item of FROM: n, tax-id, type, product-id, product-name, enrollment-id, benefit-id,
 * start-date; of dependents primary-member-tax-id and dependent-type; of who waits for a day scheduled-action-date and scheduled-reason.
 */
export function entriesOf(chunk: string, alias: string): string {
  const [all, row] = [`${alias}_columns`, `${alias}_row`]
  return `json_to_record(convert_from(${chunk}.entries, 'UTF8')::json) as ${all}("product-id" uuid[], "product-name" text[], n integer[],
      "tax-id" bpchar[], product integer[], "enrollment-id" uuid[], "benefit-id" uuid[], "start-date" date[],
      "primary-member-tax-id" bpchar[], "dependent-type" text[], "scheduled-action-date" date[], "scheduled-reason" text[])
    cross join lateral rows from (unnest(${all}.n), unnest(${all}."tax-id"), unnest(${all}.product), unnest(${all}."enrollment-id"),
      unnest(${all}."benefit-id"), unnest(${all}."start-date"), unnest(${all}."primary-member-tax-id"), unnest(${all}."dependent-type"),
      unnest(${all}."scheduled-action-date"), unnest(${all}."scheduled-reason"), generate_series(1, cardinality(${all}.n)))
      as ${row}(n, "tax-id", product, "enrollment-id", "benefit-id", "start-date", "primary-member-tax-id", "dependent-type",
      "scheduled-action-date", "scheduled-reason", place)
    cross join lateral (select ${row}.*, ${all}."product-id"[${row}.product] as "product-id",
      ${all}."product-name"[${row}.product] as "product-name",
      case when ${row}."primary-member-tax-id" is null then 'primary' else 'dependent' end as type) as ${alias}`
}

/** Of the same only tax-id and product-name: reads that are asked often pay for every column, met or not. */
export function partsOf(chunk: string, alias: string): string {
  const all = `${alias}_columns`
  return `json_to_record(convert_from(${chunk}.entries, 'UTF8')::json) as ${all}("product-name" text[], "tax-id" text[], product integer[])
    cross join lateral rows from (unnest(${all}."tax-id"), unnest(${all}.product)) as ${alias}_row("tax-id", product)
    cross join lateral (select ${alias}_row."tax-id", ${all}."product-name"[${alias}_row.product] as "product-name") as ${alias}`
}

import { insertCarriers } from '../carriers/queries.ts'
import type { Sql } from '#platform/core/database.ts'
import type { AgeLimit } from '../rules/age-limit.ts'

interface CompanyRow {
  readonly id: string
  readonly taxId: string
  readonly name: string
  readonly searchName: string
  /** null: they stay as they are. */
  readonly contacts: readonly object[] | null
}

/**
 * Inserts the company, or updates the name of the one with this CNPJ. Its row is locked until the transaction ends, which serializes
 * replacements of one company.
 * @returns the id of the row: the given one when it was inserted.
 */
export async function putCompany(sql: Sql, company: CompanyRow, at: Date): Promise<string> {
  const rows = await sql.query<{ id: string }>(
    `insert into company (id, tax_id, name, search_name, contacts, created_at, updated_at)
     values ($1, $2, $3, $4, coalesce($5::jsonb, '[]'), $6, $6)
     on conflict (tax_id) do update set name = excluded.name, search_name = excluded.search_name,
       contacts = coalesce($5::jsonb, company.contacts), updated_at = excluded.updated_at
     returning id`,
    [
      company.id,
      company.taxId,
      company.name,
      company.searchName,
      company.contacts === null ? null : JSON.stringify(company.contacts),
      at,
    ],
  )
  return rows[0]?.id ?? company.id
}

export interface KnownProduct {
  readonly id: string
  readonly nameKey: string
}

/** All products of the company: those in use first, then the retired ones, the latest first. */
export async function readProducts(sql: Sql, companyId: string): Promise<KnownProduct[]> {
  return sql.query<KnownProduct>(
    `select id, name_key as "nameKey" from product where company_id = $1 order by retired_at desc nulls first, position`,
    [companyId],
  )
}

/** A row of `product`, by the names of its columns. */
export interface ProductRow {
  readonly id: string
  readonly name: string
  readonly name_key: string
  readonly carrier_name: string
  readonly product_type: string
  readonly allowed_dependent_types: readonly string[]
  readonly allowed_start_options: readonly string[]
  readonly age_limits: readonly AgeLimit[]
  readonly billing_day: number | null
  readonly cut_off_day: number | null
}

/**
 * Replaces the company's products by these, in this order; retires the others. Makes the carriers that they are the first to name.
 * @returns the ids of those carriers.
 */
export async function putProducts(
  sql: Sql,
  companyId: string,
  at: Date,
  products: readonly ProductRow[],
): Promise<string[]> {
  // Retires all first: the names of products in use are unique, and products may exchange names.
  await sql.execute('update product set retired_at = $2 where company_id = $1 and retired_at is null', [companyId, at])
  if (products.length === 0) return []
  const names = products.map((product) => product.carrier_name)
  const newCarriers = await insertCarriers(sql, names, at)
  await sql.execute(
    `insert into product (company_id, id, name, name_key, carrier_name, product_type, allowed_dependent_types,
       allowed_start_options, age_limits, billing_day, cut_off_day, position, retired_at, updated_at)
     select $1, id, name, name_key, carrier_name, product_type, allowed_dependent_types,
       allowed_start_options, age_limits, billing_day, cut_off_day, position, null, $3::timestamptz
     from json_to_recordset($2::json) as sent(id uuid, name text, name_key text, carrier_name text, product_type text,
       allowed_dependent_types text[], allowed_start_options text[], age_limits jsonb, billing_day smallint, cut_off_day smallint,
       position smallint)
     on conflict (company_id, id) do update set
       name = excluded.name, name_key = excluded.name_key, carrier_name = excluded.carrier_name,
       product_type = excluded.product_type, allowed_dependent_types = excluded.allowed_dependent_types,
       allowed_start_options = excluded.allowed_start_options, age_limits = excluded.age_limits,
       billing_day = excluded.billing_day, cut_off_day = excluded.cut_off_day, position = excluded.position, retired_at = excluded.retired_at,
       updated_at = case when (product.name, product.carrier_name, product.product_type)
         is distinct from (excluded.name, excluded.carrier_name, excluded.product_type)
         then excluded.updated_at else product.updated_at end`,
    [companyId, JSON.stringify(products.map((product, position) => ({ ...product, position }))), at],
  )
  return newCarriers
}

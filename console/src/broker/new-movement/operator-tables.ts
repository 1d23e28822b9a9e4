import { api } from '../../api/client.ts'
import type { TableClient } from '../../entities/movement-sheets/client.ts'

const { tables, imports } = api

/** Spreadsheets of companies that operators send. */
export const operatorTables: TableClient = {
  read: (file, query, options) => tables.read(file, query, options),
  workbook: (file, query) => tables.workbook(file, query),
  template: (query, options) => tables.template(query, options),
  columnProfile: (companyTaxId, options) => imports.columnProfile(companyTaxId, options),
  putColumnProfile: (companyTaxId, profile) => imports.putColumnProfile(companyTaxId, profile),
}

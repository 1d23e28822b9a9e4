import { PRODUCT_COLUMNS } from '../../../src/movements/rules/table-columns.ts'
import type { MappingForm, TableOfFile } from './mapped-table.ts'
import { fieldLabel, type FormKind, formOf, valueLabel } from './labels.ts'

/** A table of movements or members, or a list of people. @param products of the company; none: words for products cannot be mapped. */
export function formOfTable(kind: FormKind, table: TableOfFile, products: readonly string[]): MappingForm {
  const { columns, columnOf, required, oneOf } = formOf(kind)
  return {
    fields: [...columns.keys()],
    labelOf: (field) => fieldLabel(kind, field),
    isKnown: (heading) => columnOf(heading) !== undefined,
    missingOf: (taken) => [
      ...required.filter((field) => !taken.has(field)),
      ...oneOf.flatMap((group) => (group.some((field) => taken.has(field)) ? [] : group.slice(0, 1))),
    ],
    wordsOf: () =>
      table['unknown-values'].filter(({ field }) => !PRODUCT_COLUMNS.includes(field) || products.length > 0),
    valuesOf: (field) =>
      PRODUCT_COLUMNS.includes(field)
        ? products.map((product) => ({ value: product, label: product }))
        : Object.keys(columns.get(field)?.words ?? {}).map((value) => ({
            value,
            label: valueLabel(kind, field, value),
          })),
  }
}

import type { Item, OperationId } from '@vigencia/client'
import type { ReactNode } from 'react'
import { usePagedList } from '../api/use-paged-list.ts'
import { type Column, DataTable, type DataTableProps } from '../components/data-table.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Forbidden } from '../components/state-view.tsx'
import type { Permission } from '../session/permissions.ts'
import { usePermission } from '../session/use-permission.ts'
import { useFilters } from './filters.tsx'

type TableProps<Id extends OperationId> = Omit<DataTableProps<Item<Id>>, 'list' | 'columns'> & {
  /** Without those that are false. */
  readonly columns: readonly (Column<Item<Id>> | false)[]
  readonly query?: object
  readonly options?: Parameters<typeof usePagedList>[2]
}

/** A table of the items of an operation, which has pages. */
export const listTable = <Id extends OperationId>(operation: Id) =>
  function Table({ query, options, columns, ...table }: TableProps<Id>) {
    const list = usePagedList(operation, query, options)
    const shown = columns.filter((one) => one !== false)
    // The table takes items of any type: it hands them to the functions that came with them.
    const props: unknown = { ...table, columns: shown, list }
    return <DataTable {...(props as DataTableProps<object>)} />
  }

type PageProps<Id extends OperationId> = Omit<TableProps<Id>, 'label'> & {
  readonly label?: string
  readonly title: string
  /** Beside the title. */
  readonly actions?: ReactNode
  /** Above the table. */
  readonly filters?: ReactNode
  /** Below the table, and dialogs. */
  readonly children?: ReactNode
}

/** A page that lists the items of an operation: those of the parameters of the address, unless `query` says which. */
export const listPage = <Id extends OperationId & Permission>(operation: Id) => {
  const Table = listTable(operation)
  return function Page({ title, actions, filters, children, ...table }: PageProps<Id>) {
    const { search } = useFilters()
    const mayRead = usePermission(operation)
    return (
      <>
        <PageHeader title={title}>{mayRead && actions}</PageHeader>
        {mayRead ? filters : <Forbidden />}
        {mayRead && <Table query={search} label={title} {...table} />}
        {mayRead && children}
      </>
    )
  }
}

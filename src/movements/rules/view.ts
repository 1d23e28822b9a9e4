/*
 * The views of the team: filters of a list of the console under a name.
 */

/** The lists of the console that have views. */
export const VIEW_AREAS = ['queue'] as const
export type ViewArea = (typeof VIEW_AREAS)[number]

/** Most views of an area. */
export const MAX_VIEWS = 50
export const MAX_VIEW_NAME_CHARACTERS = 60

/** The filters that a view may have: those of the address of the list, without a search text and a person, which are personal data. */
export const VIEW_FILTERS = {
  queue: [
    'status',
    'enrollment-type',
    'alteration-kind',
    'carrier-name',
    'company-tax-id',
    'product-id',
    'shipment-id',
    'shipment-number',
    'cut-off-date',
    'overdue',
    'answered',
    'assignee',
    'due',
    'due-from',
    'due-before',
    'age',
    'from-dt',
    'until-dt',
    'resolved-from-dt',
    'resolved-until-dt',
    'sort',
  ],
} as const satisfies Readonly<Record<ViewArea, readonly string[]>>

/* The closing of a month of a company: closed sets. */

export const CLOSING_STATUSES = ['open', 'closed', 'exported'] as const
export type ClosingStatus = (typeof CLOSING_STATUSES)[number]

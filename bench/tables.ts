/** What the processing of an inclusion writes, in the order in which the foreign keys want it. */
export const tables = ['member', 'benefit', 'enrollment', 'event'] as const

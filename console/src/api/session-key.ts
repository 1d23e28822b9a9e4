/** The key of the session in the query cache. */
export const sessionKey = ['session'] as const

/* What the programs that are made from openapi.json know of an operation beyond its schemas: it stands beside them. */

/** A method of the SDK. */
export type SdkMethod = `${string}.${string}`

declare module 'fastify' {
  interface FastifySchema {
    /** Without it the SDK has no method, or one that is written by hand. */
    'x-sdk'?: SdkMethod
  }
}

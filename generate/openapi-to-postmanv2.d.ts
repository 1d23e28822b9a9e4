// The package has no types. Only what generate/postman.ts uses.
declare module 'openapi-to-postmanv2' {
  export function convertV2(
    input: { type: 'string'; data: string },
    options: Record<string, unknown>,
    callback: (
      error: Error | null,
      result: { result: boolean; reason?: string; output?: { data: Record<string, unknown> }[] },
    ) => void,
  ): void
}

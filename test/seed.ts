/** The seed of a run, for whatever a test draws: `VIGENCIA_SEED`, or the same one every time. */
export const seed = Number(process.env['VIGENCIA_SEED'] ?? 20_261_123)
if (!Number.isSafeInteger(seed)) throw new Error('VIGENCIA_SEED must be an integer')

/** The seed of a run for random values: `VIGENCIA_SEED`, or a constant. */
export const seed = Number(process.env['VIGENCIA_SEED'] ?? 20_261_123)
if (!Number.isSafeInteger(seed)) throw new Error('VIGENCIA_SEED must be an integer')

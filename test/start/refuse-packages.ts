// Loaded with `--import`: importing a package named in REFUSED_PACKAGES, or one of its scope, fails.
import { registerHooks } from 'node:module'

const refused = (process.env['REFUSED_PACKAGES'] ?? '').split(',')

registerHooks({
  resolve(specifier, context, next) {
    if (refused.some((name) => specifier === name || specifier.startsWith(`${name}/`))) {
      throw new Error(`loads ${specifier}`)
    }
    return next(specifier, context)
  },
})

// Runs before each test file.
import * as fc from 'fast-check'
import { expect } from 'vitest'
import { startSequence } from './data/people.ts'
import { seed } from './seed.ts'

fc.configureGlobal({ seed })
startSequence(seed, expect.getState().testPath?.replace(/^.*\/test\//, '') ?? '')

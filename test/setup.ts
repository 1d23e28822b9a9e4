// Runs before each test file.
import * as fc from 'fast-check'
import { expect } from 'vitest'
import { startSequence } from './data/people.ts'
import { cost } from '#access/auth/passwords.ts'
import { isLong } from './scale.ts'
import { seed } from './seed.ts'

fc.configureGlobal({ seed })
// oxlint-disable-next-line vitest/no-standalone-expect -- asserts nothing: the state names the file
const { testPath = '' } = expect.getState()
startSequence(seed, testPath.replace(/^.*\/test\//, ''))
// Hundreds of passwords are hashed; test/access/auth/passwords.test.ts has the cost of the service.
if (!isLong) Object.assign(cost, { N: 1024, p: 1 })

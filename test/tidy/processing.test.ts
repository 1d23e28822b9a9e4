import { expect, test } from 'vitest'
import { describedFields } from '../../generate/glossary.ts'
import { fieldsOf, notPersonal, processing } from '#privacy/rules/processing.ts'

test('every field of the glossary is in one category of the records of processing, or is not personal', () => {
  const lists = [...Object.values(processing).map(({ fields }) => fields), notPersonal]
  expect(lists.flatMap(fieldsOf).toSorted()).toEqual([...describedFields().keys()].toSorted())
})

import { Value } from '../../components/value.tsx'
import { FieldName } from '../../components/field-name.tsx'

/** The fields that an answer of the partner changed. A file of its own, since names of fields are a catalogue of their own. */
export default function AnsweredFields({ fields }: { readonly fields: readonly string[] }) {
  return fields.map((field, index) => (
    <span key={field}>
      {index > 0 && <Value>, </Value>}
      <FieldName field={field} />
    </span>
  ))
}

/* What a broker sets of its installation. */
import type { FieldError } from '#kernel/fields.ts'

export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const
export type LogoType = (typeof LOGO_TYPES)[number]
export const MAX_LOGO_BYTES = 99_999

/** The decisions that have a reason which is often given. */
export const TEMPLATE_TARGETS = ['rejected', 'pending-documents', 'pending-correction'] as const
export type TemplateTarget = (typeof TEMPLATE_TARGETS)[number]
export const MAX_REASON_TEMPLATES = 60

interface Template {
  readonly target: TemplateTarget
  readonly text: string
  readonly 'document-types'?: readonly string[]
  readonly 'correction-fields'?: readonly string[]
}

/** What is wrong with templates: documents are asked for by one status, corrections by another, and a text is there once for a decision. */
export function templateErrors(templates: readonly Template[]): FieldError[] {
  return templates.flatMap((template, index): FieldError[] => {
    const path = `reason-templates[${index}]`
    const { target, text, 'document-types': types = [], 'correction-fields': fields = [] } = template
    const isRepeated = templates
      .slice(0, index)
      .some((other) => other.target === target && other.text.trim() === text.trim())
    return [
      ...(types.length > 0 && target !== 'pending-documents'
        ? [{ field: `${path}.document-types`, code: 'not-applicable' } as const]
        : []),
      ...(fields.length > 0 && target !== 'pending-correction'
        ? [{ field: `${path}.correction-fields`, code: 'not-applicable' } as const]
        : []),
      ...(isRepeated ? [{ field: `${path}.text`, code: 'repeated' } as const] : []),
    ]
  })
}

import { TEXTS } from '../../../../src/kernel/texts/texts.ts'
import { currentLanguage } from '../../language/language.ts'

/** The warnings of movements in words, in the language of the console. */
export const warningWords = () => TEXTS[currentLanguage() === 'pt-BR' ? 'pt-BR' : 'en'].warnings

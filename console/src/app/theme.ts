import { createTheme, type CSSVariablesResolver } from '@mantine/core'

/** Compact: more of a list in view. */
const small = { defaultProps: { size: 'xs' } }

export const theme = createTheme({
  primaryColor: 'teal',
  // White text on it has the contrast in both themes.
  primaryShade: 9,
  autoContrast: true,
  respectReducedMotion: true,
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontSizes: { xs: '0.8125rem' },
  components: {
    Autocomplete: small,
    Button: small,
    Checkbox: small,
    FileInput: small,
    Input: small,
    MultiSelect: small,
    NativeSelect: small,
    NumberInput: small,
    PasswordInput: small,
    Radio: small,
    SegmentedControl: small,
    Select: small,
    Switch: small,
    TagsInput: small,
    Textarea: small,
    TextInput: small,
    Table: { defaultProps: { verticalSpacing: 4 } },
    // The first item has the focus: an element of its own for it is none that a menu may have.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    // The header of a dialog is an element `header`, which would be a second banner of the page.
    Modal: {
      defaultProps: { attributes: { header: { role: 'presentation' } } },
      styles: { title: { fontSize: '1rem', fontWeight: 600 } },
    },
  },
})

/** The defaults of Mantine for secondary text have less contrast than WCAG 2.2 AA asks for. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#495057',
    '--mantine-color-placeholder': '#5c636a',
    '--mantine-color-error': '#c92a2a',
    // The default for the darkest shade is a lighter one, on which white text has too little contrast.
    '--mantine-color-teal-filled-hover': '#066649',
  },
  dark: {
    '--mantine-color-dimmed': '#b8b8b8',
    '--mantine-color-placeholder': '#a6a6a6',
    '--mantine-color-error': '#ff8787',
  },
})

/** An icon of Tabler (vite.config.ts). */
declare module 'icon:*' {
  import type { ComponentType, SVGProps } from 'react'

  const icon: ComponentType<
    Omit<SVGProps<SVGSVGElement>, 'stroke'> & { readonly size?: number; readonly stroke?: number }
  >
  export default icon
}

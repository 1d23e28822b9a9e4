import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  build: {
    target: 'es2022',
    rolldownOptions: { input: ['index.html', 'document.html'] },
    // Asset URLs in CSS and HTML: an inlined `data:` URL would need an exception in the policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1600,
  },
  server: { proxy: { '/operator': 'http://127.0.0.1:3000' } },
})

import { serveSession } from '#platform/core/threads.ts'

/** Computes for so many milliseconds, which nothing interrupts. */
export default serveSession<number, string>(() => (milliseconds) => {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
  return { response: 'done' }
})

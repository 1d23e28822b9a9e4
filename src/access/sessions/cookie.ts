import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#platform/core/config.ts'

type PublicAddress = Pick<Config, 'publicUrl'>

const isHttps = ({ publicUrl }: PublicAddress) => publicUrl?.startsWith('https:') === true

/** The name of a cookie. With the prefix `__Host-` browsers take it from this host only, over https, for all paths. */
function cookieName(config: PublicAddress, name: string): string {
  return isHttps(config) ? `__Host-${name}` : name
}

/** The name of the cookie of a session. */
export function sessionCookieName(config: PublicAddress): string {
  return cookieName(config, 'vigencia-session')
}

/** The name of the cookie of a sign-in at the identity provider that is not complete. */
export function signInCookieName(config: PublicAddress): string {
  return cookieName(config, 'vigencia-sign-in')
}

/** Attributes of both cookies. `lax` is sent with the navigation from another site that ends a sign-in; `strict` never from there. */
export function cookieAttributes(config: PublicAddress, sameSite: 'strict' | 'lax'): CookieSerializeOptions {
  return { path: '/', httpOnly: true, sameSite, secure: isHttps(config) }
}

/** The value of a cookie of the request. */
export function readCookie({ headers, server }: FastifyRequest, name: string): string | undefined {
  return headers.cookie === undefined ? undefined : server.parseCookie(headers.cookie)[name]
}

/** Without an age: the browser deletes it when it ends, and the service decides how long the session lasts. */
export function setSessionCookie(reply: FastifyReply, config: PublicAddress, token: string): void {
  reply.setCookie(sessionCookieName(config), token, cookieAttributes(config, 'strict'))
}

export function clearSessionCookie(reply: FastifyReply, config: PublicAddress): void {
  reply.clearCookie(sessionCookieName(config), cookieAttributes(config, 'strict'))
}

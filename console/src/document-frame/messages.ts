/*
 * The messages between a page of the console and the frame that shows a document. The frame has an opaque origin: nothing of a document can
 * reach the page, and the frame has no cookie.
 */

export interface ShowMessage {
  readonly type: 'show'
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly contentType: string
  readonly name: string
  readonly language: string
  /** The text alternative of a page, with `{page}` and `{pages}`. */
  readonly pageLabel: string
}

/** The zoom of a document that is shown: 1 fits the width of the frame. */
interface ZoomMessage {
  readonly type: 'zoom'
  readonly zoom: number
}

export type MessageToFrame = ShowMessage | ZoomMessage

/** `unsupported`: a type that this browser does not show; `slow`: it takes too long to open or to draw. */
export type FailureReason = 'damaged' | 'unsupported' | 'password' | 'slow'

export type MessageFromFrame =
  | { readonly type: 'ready' }
  /** So many of `total` pages are shown. */
  | { readonly type: 'shown'; readonly pages: number; readonly total: number }
  | { readonly type: 'failed'; readonly reason: FailureReason }

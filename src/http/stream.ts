// Sends an answer that is made while it is sent. What was sent cannot be taken back: if the rest cannot be made, the connection is broken, so that
// the client sees a failed download and not a short file.
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * @param pieces Asked for the next piece when the client has taken the last ones; told if it goes away.
 * @returns undefined: all was sent. The error otherwise; the connection is closed then.
 */
export async function stream(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  pieces: AsyncIterable<string>,
): Promise<unknown> {
  response.writeHead(status, headers);
  try {
    // highWaterMark 1: a piece is a page of rows, and one that waits is enough.
    await pipeline(Readable.from(pieces, { highWaterMark: 1 }), response);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Whether a stream ended because the client went away, which is no fault. */
export const isClientGone = (error: unknown): boolean =>
  (error as { code?: string } | null)?.code === 'ERR_STREAM_PREMATURE_CLOSE';

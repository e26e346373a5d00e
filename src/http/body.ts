// Reads a request body of limited size.
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors.ts';

/** Bytes of each body that don't count, so that ordinary requests get through while large ones are read. */
const FREE_BYTES = 16 * 1024;
const MAX_HELD_BYTES = 64 * 1024 * 1024;

/** The memory that bodies take in this process. A body counts from its first byte until its response. */
export class BodyMemory {
  readonly #maxBytes: number;
  readonly #byRequest = new WeakMap<IncomingMessage, number>();
  #held = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Returns whether there is room. There always is for a body that is the only one.
   * @param size Bytes of the body so far.
   */
  hold(request: IncomingMessage, size: number): boolean {
    const before = this.#byRequest.get(request) ?? 0;
    const added = Math.max(0, size - FREE_BYTES) - before;
    if (added > 0 && this.#held > before && this.#held + added > this.#maxBytes) return false;
    this.#held += added;
    this.#byRequest.set(request, before + added);
    return true;
  }

  release(request: IncomingMessage): void {
    this.#held -= this.#byRequest.get(request) ?? 0;
    this.#byRequest.delete(request);
  }
}

/** handle() releases a request's memory after the response. */
export const bodyMemory = new BodyMemory(MAX_HELD_BYTES);

/**
 * The rest of a rejected body is read and dropped, so that the client sees the response. The server's requestTimeout limits the time.
 * @param advice A sentence for callers whose body is too large. It begins with a space.
 * @throws {ApiError} body_too_large; not_ready: too many large bodies are being read; invalid_json: the caller hung up.
 */
export function readBody(request: IncomingMessage, maxBytes: number, memory = bodyMemory, advice = ''): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] | undefined = [];
    let size = 0;
    const drop = (error: ApiError) => {
      chunks = undefined;
      memory.release(request);
      reject(error);
    };
    const cutOff = () => drop(new ApiError('invalid_json', 'The body was cut off.'));
    // The caller hung up. Its ECONNRESET must not be taken for a database error.
    if (request.destroyed && !request.readableEnded) cutOff();
    request.on('error', cutOff);
    request.on('data', (chunk: Buffer) => {
      if (chunks === undefined) return;
      size += chunk.length;
      chunks.push(chunk);
      if (size > maxBytes) drop(new ApiError('body_too_large', `The body must be at most ${maxBytes} bytes.${advice}`));
      else if (!memory.hold(request, size)) {
        drop(new ApiError('not_ready', 'Too many large requests are being read. Try again later.', { retryAfterSeconds: 1 }));
      }
    });
    request.on('end', () => {
      if (chunks !== undefined) resolve(Buffer.concat(chunks));
    });
  });
}

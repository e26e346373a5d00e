// What the query of a request says.
import type { Request } from 'polka';
import { invalidField } from '../errors.ts';

/** @throws {ApiError} It isn't a whole number from min to max, which has at most six digits. */
export function readNumber({ query }: Request, name: string, fallback: number, min: number, max: number): number {
  const text = query[name] ?? String(fallback);
  const value = typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) throw invalidField(name, `must be a whole number from ${min} to ${max}`);
  return value;
}

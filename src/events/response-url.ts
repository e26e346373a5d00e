// Adds to an event the address of its response's page, which only a process knows: the database has no public address.
import { responseAddress } from '../mail/links.ts';

interface WithResponse {
  readonly data?: { readonly survey?: string; readonly response?: object & { readonly id?: string } };
}

/** The event, with `data.response.url` if it has a response. */
export function withResponseUrl<Event extends object>(event: Event, publicUrl: string): Event {
  const { data } = event as WithResponse;
  const id = data?.response?.id;
  if (data === undefined || id === undefined) return event;
  const url = responseAddress(publicUrl, String(data.survey), id);
  return { ...event, data: { ...data, response: { ...data.response, url } } };
}

/** The same for an event as text. Most have no response, and stay as they are. */
export const withResponseUrlText = (event: string, publicUrl: string): string =>
  event.includes('"response.') ? JSON.stringify(withResponseUrl(JSON.parse(event), publicUrl)) : event;

// The kinds of settings: how the text of an environment variable becomes a value. Imports nothing of ours.

/** Where a setting's value comes from when the environment does not name it, and how its text becomes a value. */
export interface Setting<T> {
  readonly default: string;
  readonly meaning: string;
  readonly parse: (text: string) => T;
}

export const text = (value: string): string => value;

export const integer =
  (least: number, most: number) =>
  (value: string): number => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < least || number > most) {
      throw new Error(`must be a whole number from ${least} to ${most}`);
    }
    return number;
  };

export const oneOf =
  <const T extends string>(...choices: T[]) =>
  (value: string): T => {
    const choice = choices.find((one) => one === value);
    if (choice === undefined) throw new Error(`must be one of ${choices.filter(Boolean).join(', ')}`);
    return choice;
  };

export const atLeast =
  (characters: number) =>
  (value: string): string => {
    if (value.length < characters) throw new Error(`must have at least ${characters} characters`);
    return value;
  };

export const optional =
  <T>(parse: (value: string) => T) =>
  (value: string): T | undefined =>
    value === '' ? undefined : parse(value);

/** An absolute http(s) address without credentials, query or fragment; its trailing slash is dropped. */
export const webAddress = (value: string): string => {
  const url = URL.parse(value);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) throw new Error('must be an http or https address');
  if (url.username || url.search || url.hash) throw new Error('must have no credentials, query or fragment');
  return url.href.replace(/\/$/, '');
};

/** A web address, or smtp(s)://user:password@host:port. */
export const relayAddress = (value: string): string => {
  if (!/^smtps?:/i.test(value)) return webAddress(value);
  const url = URL.parse(value);
  if (url === null || url.hostname === '' || url.pathname.length > 1 || url.search || url.hash) {
    throw new Error('must be smtp:// or smtps://user:password@host:port');
  }
  try {
    decodeURIComponent(url.username + url.password);
  } catch {
    throw new Error('must have its user and password percent-encoded');
  }
  return url.href;
};

export const domainName = (value: string): string => {
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(value)) throw new Error('must be a domain name');
  return value;
};

export const databaseAddress = (value: string): string => {
  if (!/^postgres(ql)?:\/\//.test(value) || !URL.canParse(value)) {
    throw new Error('must be a postgres://user:password@host:port/database address');
  }
  return value;
};

/** `Name <address>` or a plain address; one line. */
export const sender = (value: string): { name: string; email: string } => {
  const match = /^(?:([^<>\r\n]*)<([^<>\s@]+@[^<>\s@]+)>|([^<>\s@]+@[^<>\s@]+))$/.exec(value.trim());
  if (match === null) throw new Error('must be an address, or Name <address>');
  return { name: (match[1] ?? '').trim().replace(/^"(.*)"$/, '$1'), email: match[2] ?? match[3] ?? '' };
};

export const setting = <T>(fallback: string, parse: (value: string) => T, meaning: string): Setting<T> => ({
  default: fallback,
  meaning,
  parse,
});

// What the columns of a list mean: by their headings or, without headings, by what is in them. Pure.
import type { ColumnMeaning, UploadColumn } from '../database/store.ts';
import type { TableLine } from './table.ts';

/** Characters of a heading. */
const MAX_HEADING = 100;

/** In the languages of the service's customers, folded as `fold` does. */
const HEADINGS: Readonly<Record<string, readonly string[]>> = {
  email: [
    ...['email', 'mail', 'emailaddress', 'mailaddress', 'emailadresse', 'mailadresse', 'adresseemail', 'adressemail', 'courriel'],
    ...[
      'correo',
      'correoelectronico',
      'epost',
      'epostadress',
      'epostadresse',
      'sahkoposti',
      'eposta',
      'indirizzoemail',
      'emailadres',
    ],
  ],
  name: [
    ...[
      'name',
      'fullname',
      'recipientname',
      'contact',
      'contactname',
      'customer',
      'customername',
      'client',
      'clientname',
      'firstname',
      'first',
      'givenname',
    ],
    ...[
      'lastname',
      'last',
      'surname',
      'familyname',
      'vorname',
      'nachname',
      'kunde',
      'kundin',
      'kundenname',
      'ansprechpartner',
      'empfanger',
      'nom',
      'nomclient',
      'nomduclient',
      'prenom',
      'nombre',
      'cliente',
      'apellido',
      'apellidos',
      'nome',
    ],
    ...[
      'cognome',
      'naam',
      'klant',
      'klantnaam',
      'voornaam',
      'achternaam',
      'navn',
      'kundenavn',
      'fornavn',
      'etternavn',
      'efternavn',
      'namn',
      'kund',
      'kundnamn',
      'fornamn',
      'efternamn',
      'nimi',
      'asiakas',
    ],
  ],
  language: ['language', 'lang', 'locale', 'sprache', 'langue', 'idioma', 'lingua', 'taal', 'sprak', 'sprog', 'kieli'],
  time_zone: ['timezone', 'tz', 'zeitzone', 'fuseauhoraire', 'zonahoraria', 'tijdzone', 'tidssone', 'tidszon'],
};

const fold = (heading: string): string =>
  heading
    .normalize('NFKD')
    .replaceAll(/[\p{M}\P{L}]/gu, '')
    .toLowerCase()
    .replaceAll('ø', 'o');

const meaningOf = (heading: string): ColumnMeaning => {
  const folded = fold(heading);
  const [found] = Object.entries(HEADINGS).find(([, names]) => names.includes(folded)) ?? [];
  return (found as ColumnMeaning | undefined) ?? null;
};

const hasAddress = (cell: string): boolean => /\S@\S/.test(cell);

/** Whether the first line has the headings: it has no address, and knows a column or is followed by addresses. */
export function hasHeadings([first, ...others]: readonly TableLine[]): boolean {
  if (first === undefined || first.cells.some(hasAddress)) return false;
  return first.cells.some((cell) => meaningOf(cell) !== null) || others.some(({ cells }) => cells.some(hasAddress));
}

/** @param sample The first lines, without the headings. */
export function columnsOf(headings: readonly string[] | undefined, sample: readonly TableLine[]): UploadColumn[] {
  const width = Math.max(headings?.length ?? 0, ...sample.map(({ cells }) => cells.length));
  const named = Array.from({ length: width }, (_, place) => (headings?.[place] ?? '').slice(0, MAX_HEADING).toWellFormed());
  const meanings = named.map(meaningOf);
  const addresses = named.map((_, place) => sample.filter(({ cells }) => hasAddress(cells[place] ?? '')).length);
  const firstEmail = meanings.indexOf('email');
  const email = firstEmail !== -1 ? firstEmail : addresses.indexOf(Math.max(...addresses));
  // Beside one other column without a heading, that is the name.
  const name = headings === undefined && width === 2 ? 1 - email : -1;
  return named.map((heading, place) => ({
    name: heading,
    as: place === email ? 'email' : place === name ? 'name' : meanings[place] === 'email' ? null : (meanings[place] ?? null),
  }));
}

// What the service itself says to recipients: Dutch, formal.
import type { Strings } from './en.ts';

export const nl: Strings = {
  reminderSubject: 'Herinnering: {subject}',
  emailReason: 'U ontvangt deze e‑mail omdat {workspace} u heeft uitgenodigd voor een enquête.',
  unsubscribe: 'Afmelden',
  unsubscribeLine: 'Afmelden: {link}',

  errorTitle: 'Fout: {title}',
  notSubmitted: 'Uw antwoorden zijn nog niet verzonden',
  questionsChanged: 'De vragen zijn gewijzigd sinds u deze pagina heeft geopend. Controleer uw antwoorden.',
  optional: '(optioneel)',
  noAnswer: 'Geen antwoord',
  submit: 'Verzenden',
  answersGoTo: 'Uw antwoorden gaan naar {workspace}.',
  chooseNumber: 'Kies een cijfer.',
  chooseAnswer: 'Kies een antwoord.',
  enterAnswer: 'Vul een antwoord in.',
  tooLong: 'Gebruik maximaal {max} tekens.',

  thanksTitle: 'Bedankt!',
  thanks: 'Uw antwoorden zijn opgeslagen. U kunt deze pagina sluiten.',
  respondedTitle: 'U heeft deze enquête al ingevuld',
  responded: 'Uw antwoorden op de enquête {title} zijn opgeslagen. Bedankt!',
  invalidLinkTitle: 'Deze link is niet geldig',
  invalidLink: 'Mogelijk is de link niet volledig. Open hem opnieuw vanuit uw e‑mail.',
  notOpenTitle: 'Enquête nog niet geopend',
  notOpen: 'Deze enquête is nog niet geopend. Probeer het later opnieuw. Uw link blijft geldig.',
  closedTitle: 'Enquête gesloten',
  closed: 'De enquête {title} is gesloten. Bedankt voor uw belangstelling.',
  byInvitationTitle: 'Alleen op uitnodiging',
  byInvitation: 'Open de link in de e‑mail van {workspace} om deze enquête in te vullen.',

  unsubscribeTitle: 'Afmelden',
  unsubscribeQuestion: 'Wilt u op {email} geen e‑mails over enquêtes van {workspace} meer ontvangen?',
  unsubscribeScope: 'Dit geldt voor alle e‑mails over enquêtes van {workspace}, ook voor herinneringen.',
  unsubscribedTitle: 'U bent afgemeld',
  unsubscribed: '{workspace} stuurt geen e‑mails over enquêtes meer naar {email}.',
  mistake: 'Was dit een vergissing?',
  resubscribe: 'Opnieuw aanmelden',
  askWorkspace: 'Wilt u ze weer ontvangen? Neem dan contact op met {workspace}.',
  resubscribedTitle: 'U bent weer aangemeld',
  resubscribed:
    '{workspace} kan weer e‑mails over enquêtes naar {email} sturen. E‑mails die intussen zijn tegengehouden, worden niet alsnog verzonden.',
  erasedTitle: 'Afmelden is niet nodig',
  erased:
    'Het adres waarnaar deze uitnodiging is gestuurd, is verwijderd. Ontvangt u toch nog een e‑mail van {workspace}, gebruik dan de link in die e‑mail.',

  notFoundTitle: 'Pagina niet gevonden',
  notFound: 'Controleer het adres. Als u een link in een e‑mail heeft geopend, is die mogelijk niet volledig.',
  tooManyTitle: 'Te veel pogingen',
  tooMany: 'Wacht een minuut en probeer het opnieuw.',
  unavailableTitle: 'Tijdelijk niet beschikbaar',
  unavailable: 'Probeer het over een paar minuten opnieuw.',
  failedTitle: 'Er is iets misgegaan',
  failed: 'Het probleem ligt bij ons. Probeer het later opnieuw.',
  badRequestTitle: 'Dat is niet gelukt',
  badRequest: 'We konden uw verzoek niet verwerken. Ga terug en probeer het opnieuw.',
  requestId: 'Verzoek {id}',

  defaultMessage:
    'Beste {{recipient_name}},\n\n{{workspace_name}} hoort graag uw mening: {{survey_title}}\n\n{{survey_link}}\n\nAlvast bedankt!',
  recommend: 'Hoe waarschijnlijk is het dat u ons zou aanbevelen?',
  leastLikely: 'Zeer onwaarschijnlijk',
  mostLikely: 'Zeer waarschijnlijk',
  mainReason: 'Wat is de belangrijkste reden voor uw score?',
};

// Dutch that says je: the texts of nl.ts that address the reader.
import type { Strings } from '../en.ts';

export const nl: Partial<Strings> = {
  greeting: 'Hallo,',
  emailReason: 'Je ontvangt deze e‑mail omdat {workspace} je heeft uitgenodigd voor een enquête.',
  notSubmitted: 'Je antwoorden zijn nog niet verzonden',
  questionsChanged: 'De vragen zijn gewijzigd sinds je deze pagina hebt geopend. Controleer je antwoorden.',
  answersGoTo: 'Je antwoorden gaan naar {workspace}.',
  thanks: 'Je antwoorden zijn opgeslagen. Je kunt deze pagina sluiten.',
  respondedTitle: 'Je hebt deze enquête al ingevuld',
  responded: 'Je antwoorden op de enquête ‘{title}’ zijn opgeslagen. Bedankt!',
  invalidLink: 'Mogelijk is de link niet volledig. Open hem opnieuw vanuit je e‑mail.',
  linkExpired: 'Je kunt de enquête ‘{title}’ niet meer via deze link invullen. Bedankt voor je belangstelling.',
  notOpen: 'Deze enquête is nog niet geopend. Probeer het later opnieuw. Je link blijft geldig.',
  closed: 'De enquête ‘{title}’ is gesloten. Bedankt voor je belangstelling.',
  full: 'Er zijn voldoende reacties op de enquête ‘{title}’ ontvangen. De enquête is gesloten. Bedankt voor je belangstelling.',
  unsubscribeQuestion: 'Wil je geen e‑mails over enquêtes van {workspace} meer ontvangen op {email}?',
  unsubscribedTitle: 'Je bent afgemeld',
  askWorkspace: 'Wil je ze weer ontvangen? Neem dan contact op met {workspace}.',
  resubscribedTitle: 'Je ontvangt weer e‑mails',
  fewer: 'Ontvang je liever minder e‑mails?',
  savedTitle: 'Je keuze is opgeslagen',
  erased:
    'Het adres waarnaar deze uitnodiging is gestuurd, is verwijderd. Ontvang je toch nog een e‑mail van {workspace}, gebruik dan de link in die e‑mail.',
  defaultMessage:
    'Hoi {{recipient_name}},\n\n{{workspace_name}} hoort graag je mening: {{survey_title}}\n\n{{survey_link}}\n\nAlvast bedankt!',
  recommend: 'Hoe waarschijnlijk is het dat je ons zou aanbevelen?',
  mainReason: 'Wat is de belangrijkste reden voor je score?',
};

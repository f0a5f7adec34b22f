/** Advisories by code. English is the sentence of the API; one without a Spanish sentence does not compile. */
import { ADVISORIES } from '#libs/product/advisories.ts';

type Code = (typeof ADVISORIES)[number]['code'];

export const en: Readonly<Record<string, string>> = Object.fromEntries(
  ADVISORIES.map(({ code, says }) => [code, says]),
);

const sentences: Readonly<Record<Code, string>> = {
  first_period_may_fall_next_day: 'El primer periodo de un Préstamo puede vencer al día siguiente de su inicio.',
  no_tolerance: 'Un periodo está en atraso al día siguiente de su vencimiento, por poco que falte por pagar.',
  zero_rate: 'La tasa más alta es cero: ningún Préstamo causa interés.',
  penalty_without_ceiling:
    'El interés moratorio corre mientras un periodo esté vencido: no hay máximo de días ni de todo el Préstamo.',
  single_term: 'Solo se ofrece un número de periodos; el acreditado no puede elegir.',
  guard_without_amount:
    'Los Préstamos de un Cliente se limitan por número o atraso, pero no por el capital que el Cliente debe.',
};

export const es: typeof en = sentences;

/** The texts of the console in Spanish. */
import { es as account } from '../account/texts.ts';
import { es as auditList } from '../audit-list/texts.ts';
import { es as dues } from '../dues/texts.ts';
import { es as explanation } from '../explanation/texts.ts';
import { es as explorer } from '../explorer/texts.ts';
import { es as health } from '../health/texts.ts';
import { es as keys } from '../keys/texts.ts';
import { es as people } from '../people/texts.ts';
import { es as products } from '../products/texts.ts';
import { es as refusals } from '../refusal-texts.ts';
import { es as requestLog } from '../request-log/texts.ts';
import { es as signIn } from '../sign-in/texts.ts';
import { es as signature } from '../signature/texts.ts';
import { es as simulation } from '../simulation/texts.ts';
import { es as tenancies } from '../tenancies/texts.ts';
import type { Texts } from './en.ts';

export const es: Texts = {
  language: 'es',
  /** Numbers and days as in Mexico, the first market. */
  locale: 'es-MX',
  languageName: 'Español',
  console: 'Consola de préstamos',
  skipToContent: 'Ir al contenido',
  signOut: 'Cerrar sesión',
  next: 'Página siguiente',
  first: 'Primera página',
  differs: 'difiere',
  downloadsBusy: 'Hay otras descargas en curso. Espere un momento e inténtelo de nuevo.',
  downloadCsv: 'Descargar como CSV',
  errors: {
    title: 'No se puede mostrar',
    notFound: 'No existe esa página, o no tiene un rol en la Organización a la que pertenece.',
    forbidden: 'Su rol no permite esta acción.',
    form: 'El formulario expiró. Abra la página de nuevo y repita la acción.',
    tooLarge: 'El formulario es demasiado grande. Acorte lo que escribió, o marque menos casillas, y envíelo de nuevo.',
    unreadable: 'No se puede leer la dirección o el formulario. Abra la página de nuevo y repita la acción.',
    controlCharacter: 'Esto contiene un carácter que no es texto, como NUL. Quítelo e inténtelo de nuevo.',
    busy: 'Muchas personas inician sesión en este momento. Espere un momento e inténtelo de nuevo.',
    unavailable: 'El servicio no puede responder ahora. Inténtelo de nuevo en un momento.',
    triesAgain:
      'Esta página lo intenta de nuevo por sí sola y se abre en cuanto haya respuesta. La primera consulta de un Cliente con muchísimos Préstamos puede tardar un minuto.',
    beingPrepared: 'Se está preparando la página',
    bookIsRead: 'Este Cliente tiene muchísimos registros. Se están preparando.',
    booksAreRead: 'Los Clientes de esta página tienen muchos registros. Se están preparando.',
    opensByItself: 'La página se abre por sí sola al terminar.',
    gaveUp:
      'Se volvió a pedir durante un minuto, sin respuesta. Inténtelo más tarde; si no se resuelve, avise al operador.',
    tryAgain: 'Intentar de nuevo',
    reference: 'Referencia para el operador:',
    refused: 'El servicio lo rechazó.',
    accepted: (bound) => `Se acepta: ${bound}.`,
    back: 'A la primera página',
  },
  navigation: {
    overview: 'Claves y límites',
    clients: 'Clientes',
    loans: 'Préstamos',
    dues: 'Vencidos',
    requests: 'Solicitudes',
    signature: 'Verificar una firma',
    products: 'Productos',
    policies: 'Políticas',
    people: 'Personas',
    health: 'Estado',
    account: 'Cuenta',
  },
  signIn,
  tenancies,
  keys,
  auditList,
  explorer,
  dues,
  explanation,
  simulation,
  refusals,
  requestLog,
  signature,
  products,
  health,
  people,
  account,
};

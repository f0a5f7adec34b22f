/** The people of the demo Tenancy: borrowers with names that are common in Mexico, and the lender's staff. */
import type { Random } from '#libs/runtime/random.ts';

const firstNames = words(`
  Adriana Alejandro Ana Andrea Antonio Araceli Arturo Beatriz Brenda Carlos Carmen Cecilia Claudia Daniel
  Diana Diego Eduardo Elena Emilio Enrique Erika Fernanda Fernando Francisco Gabriela Gerardo Guadalupe
  Guillermo Hilda Hugo Irma Isabel Ivonne Javier Jimena Jorge Juan Julieta Karla Laura Leticia Lorena Lucia
  Luis Manuel Marco Maria Mariana Martin Miguel Monica Norma Octavio Oscar Patricia Paola Pedro Rafael Raul
  Ricardo Roberto Rocio Rosa Sandra Sergio Silvia Sofia Teresa Veronica Yolanda
`);

const familyNames = words(`
  Aguilar Alvarez Avila Campos Castillo Castro Cervantes Chavez Contreras Cortes Cruz Delgado Diaz Dominguez
  Espinoza Estrada Flores Fuentes Garcia Gomez Gonzalez Guerrero Gutierrez Guzman Hernandez Herrera Ibarra
  Jimenez Juarez Lara Leon Lopez Luna Martinez Medina Mejia Mendez Mendoza Molina Morales Moreno Munoz Navarro
  Nunez Ochoa Orozco Ortega Ortiz Padilla Perez Ramirez Ramos Rangel Reyes Rios Rivera Robles Rodriguez Rojas
  Romero Rosales Ruiz Salazar Salinas Sanchez Sandoval Santiago Silva Solis Soto Torres Trejo Valdez Valencia
  Vargas Vazquez Vega Velazquez Villanueva Zamora
`);

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

export interface DemoPerson {
  readonly clientId: string;
  readonly name: string;
}

/** Names are in the registration's context: the ledger itself needs none. The number keeps identifiers distinct. */
export function people(count: number, random: Random): readonly DemoPerson[] {
  return Array.from({ length: count }, (_, index) => {
    const [first, family, mother] = [random.pick(firstNames), random.pick(familyNames), random.pick(familyNames)];
    const number = String(index + 1).padStart(3, '0');
    return { clientId: `${first}-${family}-${number}`.toLowerCase(), name: `${first} ${family} ${mother}` };
  });
}

export const cities = ['Puebla', 'Queretaro', 'Leon', 'Merida', 'Toluca', 'Monterrey', 'Guadalajara', 'Oaxaca'];

/** Who records what: the `actor` of a request. */
export const staff = {
  branch: 'ana-torres',
  collections: 'luis-mendez',
  treasury: 'carla-nieto',
  risk: 'hector-salas',
  headOfRisk: 'ines-robledo',
} as const;

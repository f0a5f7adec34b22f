/** The pages of the site in the order of the navigation. The guides are files of docs/guide, the pages of SDKs their READMEs. */
import { objectGroups, objectGroupUrl, objectsUrl } from './reference/object-groups.ts';
import { resources } from './reference/resources.ts';

export interface NavigationLink {
  readonly url: string;
  readonly title: string;
  /** Pages below this one, which are shown while one of them, or this one, is read. */
  readonly pages?: readonly NavigationLink[];
}

export interface NavigationGroup {
  readonly title: string;
  readonly links: readonly NavigationLink[];
}

interface GuideGroup {
  readonly title: string;
  /** The name of the file without its extension, and the short title for the navigation. */
  readonly pages: readonly (readonly [file: string, title: string])[];
}

export const guideGroups: readonly GuideGroup[] = [
  {
    title: 'Get started',
    pages: [
      ['quick-start', 'Quick start'],
      ['concepts', 'Concepts'],
      ['signing', 'Signing'],
      ['going-live', 'Going live'],
    ],
  },
  {
    title: 'Guides',
    pages: [
      ['idempotency', 'Idempotency and retries'],
      ['two-clocks', 'Two clocks'],
      ['receipts', 'Receipts and allocation'],
      ['corrections', 'Corrections'],
      ['credit', 'Credit'],
      ['events', 'Events'],
      ['versions', 'Versions'],
      ['limits', 'Limits'],
      ['console', 'Console'],
      ['command-line', 'Command line'],
    ],
  },
];

/** The READMEs of the SDKs: the last part of the address, and the folder in libs. */
export const sdks = [
  { slug: 'typescript', folder: 'sdk', title: 'TypeScript' },
  { slug: 'python', folder: 'sdk-python', title: 'Python' },
  { slug: 'java', folder: 'sdk-java', title: 'Java' },
] as const;

export type Sdk = (typeof sdks)[number];

export const homeUrl = '/docs';

export function guideUrl(file: string): string {
  return `/docs/guide/${file}`;
}

export function sdkUrl({ slug }: Sdk): string {
  return `/docs/sdk/${slug}`;
}

export function navigationGroups(): readonly NavigationGroup[] {
  const guides = guideGroups.map(({ title, pages }) => ({
    title,
    links: pages.map(([file, short]) => ({ url: guideUrl(file), title: short })),
  }));
  const reference = resources.map(({ slug, title }) => ({ url: `/docs/reference/${slug}`, title }));
  const objects = objectGroups.map((group) => ({ url: objectGroupUrl(group), title: group.title }));
  return [
    { title: 'Get started', links: [{ url: homeUrl, title: 'Overview' }, ...(guides[0]?.links ?? [])] },
    ...guides.slice(1),
    { title: 'SDKs', links: sdks.map((sdk) => ({ url: sdkUrl(sdk), title: sdk.title })) },
    {
      title: 'API reference',
      links: [
        ...reference,
        { url: '/docs/reference/errors', title: 'Errors' },
        { url: objectsUrl, title: 'Objects', pages: objects },
        { url: '/v1/openapi.json', title: 'OpenAPI document' },
        { url: '/changelog', title: 'Changelog' },
      ],
    },
  ];
}

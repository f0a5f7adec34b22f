/** The document as this release publishes it. */
import { type Examples, openApiDocument } from '#libs/api/openapi/document.ts';
import { contract } from '#libs/api/versions.ts';
import recorded from '#schemas/examples.json' with { type: 'json' };

export const openApi = openApiDocument(contract, recorded as Examples);

/** As the file under `schemas/` holds it, to be read by people who compare two of them. */
export const openApiText = `${JSON.stringify(openApi, null, 1)}\n`;

/** The schema into which records of the topic are decoded. Generated from schemas/openapi.json: npm run schemas:sdk. */
export const bookEventSchema = {
  "type": "record",
  "name": "BookEvent",
  "namespace": "lending",
  "doc": "One admitted fact of one book, in the order of its book. Within a partition of the topic sequence counts from 1 without a gap.",
  "fields": [
    {
      "name": "partition",
      "type": "int"
    },
    {
      "name": "sequence",
      "type": "long",
      "doc": "Place in the partition: a reader refuses gaps and drops repeats by it."
    },
    {
      "name": "tenant_id",
      "type": "string"
    },
    {
      "name": "book_id",
      "type": "string",
      "doc": "c/ and the Client, or t for the Tenancy's own book."
    },
    {
      "name": "client_id",
      "type": [
        "null",
        "string"
      ],
      "default": null
    },
    {
      "name": "fact",
      "type": "long",
      "doc": "Place in the book, from 1 without a gap."
    },
    {
      "name": "version_facts",
      "type": "long",
      "default": 0,
      "doc": "The book version after this fact: how many facts it counts."
    },
    {
      "name": "version_at",
      "type": [
        "null",
        {
          "type": "long",
          "logicalType": "timestamp-micros"
        }
      ],
      "default": null,
      "doc": "The book version after this fact: its latest moment."
    },
    {
      "name": "counts",
      "type": "boolean",
      "default": false,
      "doc": "Whether this fact moved the book version."
    },
    {
      "name": "kind",
      "type": "string",
      "doc": "Open: a kind not known is not interpreted."
    },
    {
      "name": "occurred_on",
      "type": [
        "null",
        {
          "type": "int",
          "logicalType": "date"
        }
      ],
      "default": null
    },
    {
      "name": "recorded_at",
      "type": {
        "type": "long",
        "logicalType": "timestamp-micros"
      }
    },
    {
      "name": "loan_id",
      "type": [
        "null",
        "string"
      ],
      "default": null
    },
    {
      "name": "event_id",
      "type": [
        "null",
        "string"
      ],
      "default": null
    },
    {
      "name": "merchant_ref",
      "type": [
        "null",
        "string"
      ],
      "default": null
    },
    {
      "name": "feed_number",
      "type": [
        "null",
        "long"
      ],
      "default": null,
      "doc": "Place in the Tenancy's feed of Loan events."
    },
    {
      "name": "act",
      "type": [
        "null",
        {
          "type": "record",
          "name": "ActAccount",
          "fields": [
            {
              "name": "reference",
              "type": "string"
            },
            {
              "name": "actor",
              "type": "string"
            },
            {
              "name": "basis",
              "type": "string"
            },
            {
              "name": "context",
              "type": [
                "null",
                "string"
              ],
              "default": null,
              "doc": "JSON."
            }
          ]
        }
      ],
      "default": null
    },
    {
      "name": "body",
      "type": "string",
      "doc": "The fact as it is kept, JSON."
    },
    {
      "name": "reference",
      "type": [
        "null",
        {
          "type": "record",
          "name": "RecordedReference",
          "fields": [
            {
              "name": "namespace",
              "type": "string"
            },
            {
              "name": "reference",
              "type": "string"
            },
            {
              "name": "digest",
              "type": "bytes",
              "doc": "SHA-256 of the canonical method, path and body."
            },
            {
              "name": "subject",
              "type": "string"
            }
          ]
        }
      ],
      "default": null,
      "doc": "The caller's reference this fact was recorded under."
    },
    {
      "name": "issued",
      "type": [
        "null",
        {
          "type": "record",
          "name": "IssuedUnder",
          "fields": [
            {
              "name": "configuration_id",
              "type": "string"
            },
            {
              "name": "configuration_version",
              "type": "int"
            }
          ]
        }
      ],
      "default": null,
      "doc": "The product version under which this fact issues its Loan."
    },
    {
      "name": "listed",
      "type": [
        "null",
        {
          "type": "record",
          "name": "ListedAs",
          "fields": [
            {
              "name": "listing",
              "type": "string"
            },
            {
              "name": "number",
              "type": "long",
              "doc": "Place in the listing of the whole Tenancy."
            },
            {
              "name": "id",
              "type": "string"
            },
            {
              "name": "row",
              "type": "string",
              "doc": "JSON."
            }
          ]
        }
      ],
      "default": null,
      "doc": "What this fact makes listed in the whole Tenancy."
    },
    {
      "name": "request_id",
      "type": "string"
    },
    {
      "name": "item",
      "type": "int",
      "default": 0,
      "doc": "Place in a batch."
    },
    {
      "name": "offset",
      "type": "long",
      "default": -1,
      "doc": "Where the submission stands in the log of submissions."
    },
    {
      "name": "evidence",
      "type": [
        "null",
        {
          "type": "record",
          "name": "Evidence",
          "fields": [
            {
              "name": "method",
              "type": "string"
            },
            {
              "name": "target",
              "type": "string"
            },
            {
              "name": "ts",
              "type": [
                "null",
                "long"
              ],
              "default": null
            },
            {
              "name": "fp",
              "type": [
                "null",
                "string"
              ],
              "default": null
            },
            {
              "name": "signature",
              "type": [
                "null",
                "bytes"
              ],
              "default": null
            },
            {
              "name": "idempotency_key",
              "type": [
                "null",
                "string"
              ],
              "default": null
            },
            {
              "name": "body",
              "type": "bytes"
            },
            {
              "name": "body_encoding",
              "type": "string",
              "default": "identity",
              "doc": "identity, or deflate: raw, RFC 1951."
            },
            {
              "name": "actor",
              "type": [
                "null",
                "string"
              ],
              "default": null
            },
            {
              "name": "caller_request_id",
              "type": [
                "null",
                "string"
              ],
              "default": null
            },
            {
              "name": "taken_in_at",
              "type": {
                "type": "long",
                "logicalType": "timestamp-micros"
              }
            }
          ]
        },
        {
          "type": "record",
          "name": "EvidenceAt",
          "doc": "The first fact of the same request in this partition carries the evidence.",
          "fields": [
            {
              "name": "sequence",
              "type": "long"
            }
          ]
        }
      ],
      "default": null
    }
  ]
};

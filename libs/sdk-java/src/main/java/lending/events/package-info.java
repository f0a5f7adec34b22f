/** Consumers of the topics of facts and of movements. They need the client of Kafka and Avro. */
package lending.events;

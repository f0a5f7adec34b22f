/** Bodies, answers, routes and methods, generated from the OpenAPI document of the service. */
package lending.contract;

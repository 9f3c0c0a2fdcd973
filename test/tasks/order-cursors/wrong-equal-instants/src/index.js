export { InvalidCursorError, InvalidQueryError } from "./errors.js";
export { OrderRepository } from "./order-repository.js";
export { OrderService } from "./order-service.js";
export { handleOrders } from "./orders-handler.js";

export type OrderStatus = "open" | "paid" | "shipped" | "cancelled";

export interface Order {
  readonly id: string;
  readonly customerId: string;
  readonly status: OrderStatus;
  /** ISO 8601 in UTC with milliseconds, so that texts sort as instants do. */
  readonly createdAt: string;
  readonly totalCents: number;
}

/** Which orders; what is left out does not matter. */
export interface OrderQuery {
  status?: OrderStatus;
  customerId?: string;
}

export interface OrderPageQuery extends OrderQuery {
  /** 1 to 100; 20 when left out. */
  limit?: number;
  /** The `nextCursor` of the page before, of a query with the same `status` and `customerId`. */
  after?: string;
}

export interface OrderPage {
  items: Order[];
  /** null when no order follows. */
  nextCursor: string | null;
}

export interface OrderSummary {
  count: number;
  totalCents: number;
}

export class OrderRepository {
  /** Adds an order, or replaces the one with its id. */
  save(order: Order): void;
  /** Whether the order was there. */
  remove(id: string): boolean;
  get(id: string): Order | undefined;
  /** All orders that match, the latest first, those of one instant in order of their ids. */
  find(query?: OrderQuery): Order[];
  /** The same, page by page. */
  page(query?: OrderPageQuery): OrderPage;
}

export class OrderService {
  constructor(repository: OrderRepository);
  list(query?: OrderQuery): Order[];
  page(query?: OrderPageQuery): OrderPage;
  summary(query?: OrderQuery): OrderSummary;
}

/** A query that cannot be answered. */
export class InvalidQueryError extends Error {
  constructor(message: string);
}

/** A text that is no cursor, or the cursor of another query. */
export class InvalidCursorError extends InvalidQueryError {}

export interface HttpAnswer {
  status: number;
  body: unknown;
}

/** Answers `GET /orders?status=...&customer=...&limit=...&after=...`. */
export function handleOrders(service: OrderService, url: string): HttpAnswer;

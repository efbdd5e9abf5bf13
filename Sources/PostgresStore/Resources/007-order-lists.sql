-- Lists of orders, newest first, with what their order is by: so that a page is read from an index and nothing is sorted. None of these
-- columns changes but closed_at, once: updates of an order stay in their page.
DROP INDEX order_open;
DROP INDEX order_place;
CREATE INDEX order_placed ON order_state (app, placed_at, order_id);
CREATE INDEX order_open ON order_state (app, placed_at, order_id) WHERE closed_at IS NULL;
CREATE INDEX order_place ON order_state (app, place, placed_at, order_id);
CREATE INDEX order_open_place ON order_state (app, place, placed_at, order_id) WHERE closed_at IS NULL;

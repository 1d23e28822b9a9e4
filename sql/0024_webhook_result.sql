-- The last success and the last error of an endpoint, and its deliveries by status, for operators.
create index webhook_delivery_result on webhook_delivery (endpoint_id, status, attempted_at) where status <> 'pending';

-- Chunks are kept as columns: without the names in every row they are written, sent and read in two thirds of the time. What is still to be
-- processed is written anew; a product stands once for each entry then, which reads the same.
update inclusion_chunk h set
  members = (
    select convert_to(json_build_object('n', json_agg(m.n), 'tax-id', json_agg(m."tax-id"), 'member-id', json_agg(m."member-id"),
      'data', json_agg(case when m.documents = '[]'::jsonb then m.data else m.data || jsonb_build_object('documents', m.documents) end))::text, 'UTF8')
    from json_to_recordset(convert_from(h.members, 'UTF8')::json) as m(n integer, "tax-id" text, "member-id" uuid, data jsonb, documents jsonb)),
  entries = (
    select convert_to(json_build_object('product-id', json_agg(e."product-id"), 'product-name', json_agg(e."product-name"),
      'n', json_agg(e.n), 'tax-id', json_agg(e."tax-id"), 'product', json_agg(e.place),
      'enrollment-id', json_agg(e."enrollment-id"), 'benefit-id', json_agg(e."benefit-id"), 'start-date', json_agg(e."start-date"),
      'primary-member-tax-id', json_agg(e."primary-member-tax-id"), 'dependent-type', json_agg(e."dependent-type"),
      'scheduled-action-date', json_agg(e."scheduled-action-date"), 'scheduled-reason', json_agg(e."scheduled-reason"))::text, 'UTF8')
    from (
      select e.*, row_number() over () as place
      from json_to_recordset(convert_from(h.entries, 'UTF8')::json) as e(n integer, "tax-id" text, "enrollment-id" uuid, "benefit-id" uuid,
        "product-id" uuid, "product-name" text, "primary-member-tax-id" text, "dependent-type" text, "start-date" date,
        "scheduled-action-date" date, "scheduled-reason" text)
    ) e);

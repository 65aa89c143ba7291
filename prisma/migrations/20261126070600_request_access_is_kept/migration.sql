-- Nobody asks for access here: what a group says of it is kept with the attributes that nothing follows from.
UPDATE "namespaces"
   SET "attributes" = "attributes" || '{"requestAccessEnabled":false}'
 WHERE NOT "request_access_enabled";

INSERT INTO leases VALUES(1,1,'f35f6878-0614-4c2c-9a44-88afe579c4b5',1795371264658,20);
INSERT INTO messages VALUES(1,1,1,'request.17.0.user','user','Go',NULL,NULL,NULL,1795371264641000,NULL,NULL,NULL,'{"stamped":0}',0);
INSERT INTO messages VALUES(2,1,2,'request.17.0.context','user','The person is known.',NULL,NULL,NULL,1795371264642000,NULL,NULL,NULL,'{"stamped":0}',0);
INSERT INTO messages VALUES(3,1,3,'request.17.1.answer.i1','user','a reminder',NULL,NULL,NULL,1795371264645000,NULL,NULL,NULL,'{"stamped":1}',0);
INSERT INTO threads VALUES(1,'t','agent',NULL,NULL,0,1795371264635000,'a',NULL,'request.17','{}',NULL);
INSERT INTO sqlite_sequence VALUES('leases',1);

INSERT INTO leases VALUES(1,1,'62b662a3-4b9a-4a4d-a3a0-b0b807aa16c4',1795371263364,20);
INSERT INTO messages VALUES(1,1,1,'request.17.0.user','user','Go',NULL,NULL,NULL,1795371263348000,NULL,NULL,NULL,'{"stamped":0}',0);
INSERT INTO messages VALUES(2,1,2,'request.17.0.context','user','The person is known.',NULL,NULL,NULL,1795371263351000,NULL,NULL,NULL,'{"stamped":0}',0);
INSERT INTO threads VALUES(1,'t','agent',NULL,NULL,0,1795371263336000,'a',NULL,'request.17','{}',NULL);
INSERT INTO sqlite_sequence VALUES('leases',1);

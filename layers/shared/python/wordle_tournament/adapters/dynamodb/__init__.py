"""The store on DynamoDB: a table for each kind of aggregate, every write under a condition."""
